"""Robust losses for XGBoost and LightGBM."""
