"""Data sets: where they come from, and the prepared arrays that all fits read.

Importing this module imports no numpy, so that the planner can check a catalogue in a dry run. The way of a data set is
`fetch.fetch` (raw table) -> `prepare.prepare` (arrays) -> `bundle.load`.
"""

import difflib
import importlib
from dataclasses import dataclass, field

from ironbark.pipeline.data.io import addresses
from ironbark.errors import InputError

#: File formats that `ironbark.pipeline.data.io.formats` reads, by the end of the file name.
FORMATS = ("csv", "parquet", "arff", "libsvm", "keel")

#: Data sets that come with scikit-learn, and those that it downloads.
SHIPPED = ("breast_cancer", "digits", "iris", "wine")
DOWNLOADED = ("covtype", "20newsgroups")

#: Data sets of imbalanced-learn, in the order of its archive.
IMBALANCED = (
    *("ecoli", "optical_digits", "satimage", "pen_digits", "abalone", "sick_euthyroid", "spectrometer", "car_eval_34"),
    *("isolet", "us_crime", "yeast_ml8", "scene", "libras_move", "thyroid_sick", "coil_2000", "arrhythmia"),
    *("solar_flare_m0", "oil", "car_eval_4", "wine_quality", "letter_img", "yeast_me2", "webpage", "ozone_level"),
    *("mammography", "protein_homo", "abalone_19"),
)


#: Passes over the training images of a network whose entry does not say how many.
EPOCHS = 30


@dataclass(frozen=True)
class Source:
    """Entry of `SOURCES`.

    Attributes
    ----------
    module : str
        Module that holds ``fetch(id, entry, folder, mirror) -> (path, facts)``: the raw file that it wrote, and what
        ``fetch.json`` says of it.
    required, optional : tuple of str
        Fields of a catalogue entry that belong to this source.
    either : tuple of str
        Fields of which exactly one is required.
    choices : dict
        Field -> the values it may have.
    mirrored : bool
        Whether a mirror folder, where one is given, takes the place of this source.
    packages : tuple of str
        Packages that it imports, besides those that ironbark always needs.
    """

    module: str
    required: tuple = ()
    optional: tuple = ()
    either: tuple = ()
    choices: dict = field(default_factory=dict)
    mirrored: bool = True
    packages: tuple = ()


#: Name -> source. A new source is a module of its own and a line here.
SOURCES = {
    "sklearn": Source(
        "ironbark.pipeline.data.sources.sklearn_builtin",
        required=("loader",),
        optional=("mirror",),
        choices={"loader": SHIPPED + DOWNLOADED},
    ),
    "file": Source(
        "ironbark.pipeline.data.sources.local_file",
        required=("path",),
        optional=("format", "sha256"),
        choices={"format": FORMATS},
        mirrored=False,
    ),
    "openml": Source(
        "ironbark.pipeline.data.sources.openml_table",
        required=("openml_id",),
        optional=("mirror",),
        packages=("openml",),
    ),
    "url": Source(
        "ironbark.pipeline.data.sources.url_file",
        required=("url", "format"),
        optional=("sha256", "mirror"),
        choices={"format": FORMATS},
    ),
    "libsvm": Source(
        "ironbark.pipeline.data.sources.libsvm_site",
        required=("files",),
        optional=("parts", "sha256", "copies", "mirror"),
    ),
    "imbalanced-learn": Source(
        "ironbark.pipeline.data.sources.imbalanced_learn",
        required=("name",),
        optional=("sha256", "mirror"),
        choices={"name": IMBALANCED},
    ),
    "keel": Source(
        "ironbark.pipeline.data.sources.keel_site",
        required=("archive",),
        optional=("members", "parts", "sha256", "mirror"),
    ),
    "uci": Source(
        "ironbark.pipeline.data.sources.uci_site",
        either=("archive", "files"),
        optional=(
            *("members", "parts", "format", "columns", "separator", "skip_rows", "missing_marker", "sample"),
            *("sha256", "mirror"),
        ),
        choices={"format": ("csv", "arff")},
    ),
    "unsw-nb15": Source(
        "ironbark.pipeline.data.sources.unsw_nb15",
        required=("files",),
        optional=("sha256", "mirror"),
    ),
    "torchvision": Source(
        "ironbark.pipeline.data.sources.torchvision_images",
        required=("loader",),
        optional=("mirror",),
        choices={"loader": ("MNIST", "CIFAR10")},
    ),
    "glove": Source(
        "ironbark.pipeline.data.sources.glove_means",
        required=("texts", "vectors"),
        optional=("sha256", "md5"),
        mirrored=False,
    ),
    "text-svd": Source(
        "ironbark.pipeline.data.sources.text_svd",
        required=("texts",),
        optional=("dimensions",),
        mirrored=False,
    ),
    "vgg11": Source(
        "ironbark.pipeline.data.sources.vgg11_embedding",
        required=("images",),
        optional=("weights", "epochs", "training_samples", "layer", "sha256"),
        choices={"layer": ("pooled", "penultimate")},
        mirrored=False,
        packages=("torch", "torchvision"),
    ),
    "mirror": Source("ironbark.pipeline.data.sources.mirror", optional=("mirror",)),
}


def mirrored(entry):
    """Whether a mirror folder, where one is given, takes the place of the source of an entry.

    It never does for what is on this machine anyway: local files, what scikit-learn brings along, what is computed from
    another data set.
    """
    return resolve(entry["source"]).mirrored and entry.get("loader") not in SHIPPED


def local_files(entry):
    """Paths of the files of this machine that an entry names, as a list."""
    if entry["source"] not in ("file", "unsw-nb15", "glove", "vgg11"):
        return []  # their files are addresses below that of the site
    places = [addresses.first(value) for value in (*addresses.named(entry), *filter(None, [entry.get("path")]))]
    return [place for place in places if not addresses.is_remote(place)]


def base(entry):
    """Id of the data set that an entry is computed from, and the field that says so; None, None for others."""
    return next(((entry[field], field) for field in ("texts", "images") if field in entry), (None, None))


def resolve(name):
    """The entry of a source.

    Raises
    ------
    InputError
        If there is none of this name; the nearest one is named.
    """
    if name in SOURCES:
        return SOURCES[name]
    raise InputError(f"unknown source {name!r}; {suggest(name, SOURCES)}")


def suggest(name, known):
    """Half a sentence that names the nearest of the known names, or all of them."""
    near = difflib.get_close_matches(str(name), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(known)}"


_LATE = {"Bundle": "ironbark.pipeline.data.bundle", "load": "ironbark.pipeline.data.bundle"}


def __getattr__(name):
    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
