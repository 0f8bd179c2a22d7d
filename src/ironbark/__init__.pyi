"""The public names: the one list of them, from which `__init__.py` imports each when it is first used."""

from ironbark.boosting.gbdt.ensemble_lgbm import RobustEnsembleClassifier as RobustEnsembleClassifier
from ironbark.boosting.gbdt.quadratic_xgb import QuadraticXGBClassifier as QuadraticXGBClassifier
from ironbark.boosting.gbdt.robust_lgbm import RobustLGBMClassifier as RobustLGBMClassifier
from ironbark.boosting.gbdt.robust_xgb import RobustXGBClassifier as RobustXGBClassifier
from ironbark.boosting.minimax.lpboost import LPBoostClassifier as LPBoostClassifier
from ironbark.boosting.minimax.rmboost import RMBoostClassifier as RMBoostClassifier
from ironbark.boosting.stagewise.adaboost import AdaBoostClassifier as AdaBoostClassifier
from ironbark.boosting.stagewise.brownboost import BrownBoostClassifier as BrownBoostClassifier
from ironbark.boosting.stagewise.gentleboost import GentleBoostClassifier as GentleBoostClassifier
from ironbark.boosting.stagewise.logitboost import LogitBoostClassifier as LogitBoostClassifier
from ironbark.boosting.stagewise.robustboost import RobustBoostClassifier as RobustBoostClassifier
from ironbark.encoding import EncodedFeatures as EncodedFeatures
from ironbark.encoding import encode as encode
from ironbark.errors import InputError as InputError
from ironbark.label_errors.cleaning import CleanedClassifier as CleanedClassifier
from ironbark.label_errors.detector import LabelErrorDetector as LabelErrorDetector
from ironbark.label_errors.suspects import find_label_errors as find_label_errors
from ironbark.noise_correction import NoiseCorrectedClassifier as NoiseCorrectedClassifier
from ironbark.persistence import load as load
from ironbark.persistence import save as save
from ironbark.tree.classifier import RobustDecisionTreeClassifier as RobustDecisionTreeClassifier
from ironbark.tree.forest import RobustRandomForestClassifier as RobustRandomForestClassifier

__version__: str
