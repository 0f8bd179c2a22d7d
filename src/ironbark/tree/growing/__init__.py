"""How trees grow: one depth-first driver, and three ways to find splits: presorted, nodewise, and regression."""
