"""Data sets: where they come from, and the prepared arrays that all fits read.

Importing this module imports no numpy, so that the planner can check a catalogue in a dry run. The steps of a data set
are `fetch.fetch` (raw table) -> `prepare.prepare` (arrays) -> `bundle.load`.
"""

from dataclasses import dataclass, field

from ironbark import entries
from ironbark.pipeline.data import addresses

#: File formats that `ironbark.pipeline.data.formats` reads, by the end of the file name.
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
EPOCHS = 10

#: Threads that train a network, on any machine: the order of sums, and with it the bits, depends on their number.
NETWORK_THREADS = 4


@dataclass(frozen=True)
class Source:
    """Entry of `SOURCES`; the tuples name fields of a catalogue entry, or packages."""

    fetch: str  # dotted path of ``fetch(who, entry, folder)``, see `ironbark.pipeline.data.sources`
    description: str  # what it gives, as Markdown
    origin: str  # where an entry comes from, as Markdown, with fields of the entry, {files} and {host} in braces
    required: tuple = ()
    optional: tuple = ()
    either: tuple = ()  # of which exactly one is required
    choices: dict = field(default_factory=dict)  # field -> the values it may have
    mirrored: bool = True  # whether a mirror folder, where one is given, takes its place
    local: bool = False  # whether its files may be paths on this machine
    packages: tuple = ()  # that it imports, besides those that ironbark always needs

    @property
    def fields(self):
        """Fields that only an entry of this source has; `mirror` is the name of its table in a mirror folder."""
        return {*self.required, *self.either, *self.optional, *["mirror"] * self.mirrored}


_SOURCES = "ironbark.pipeline.data.sources"

#: Name -> source. A new source is a function, an entry here and a test.
SOURCES = {
    "sklearn": Source(
        f"{_SOURCES}.loaders.fetch_sklearn",
        "data sets that come with scikit-learn, and the two larger ones that its fetchers download, by our "
        "own download; 20newsgroups has columns `text`, `split`, `target`, messages whole, ordered by group "
        "and number",
        "scikit-learn, {loader}",
        required=("loader",),
        choices={"loader": SHIPPED + DOWNLOADED},
    ),
    "file": Source(
        f"{_SOURCES}.files.fetch_local",
        "a table on this machine",
        "your own",
        required=("path",),
        optional=("format", "sha256"),
        choices={"format": FORMATS},
        mirrored=False,
        local=True,
    ),
    "openml": Source(
        f"{_SOURCES}.openml_table.fetch",
        "the ARFF file of a data set of openml.org, without the columns that OpenML says to ignore",
        "[OpenML {openml_id}](https://www.openml.org/d/{openml_id})",
        required=("openml_id",),
        packages=("openml",),
    ),
    "url": Source(
        f"{_SOURCES}.files.fetch_url",
        "one file on the web",
        "[{host}]({url})",
        required=("url", "format"),
        optional=("sha256",),
        choices={"format": FORMATS},
    ),
    "libsvm": Source(
        f"{_SOURCES}.sites.fetch_libsvm",
        "files of the [LIBSVM data sets](https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/), joined, "
        "as wide as the widest",
        "LIBSVM, {files}",
        required=("files",),
        optional=("parts", "sha256"),
    ),
    "imbalanced-learn": Source(
        f"{_SOURCES}.sites.fetch_imbalanced",
        "one of the 27 data sets of its benchmark ([Zenodo 61452](https://zenodo.org/record/61452)); features "
        "f1, f2, ..., labels 1 and -1",
        "imbalanced-learn, {name}",
        required=("name",),
        optional=("sha256",),
        choices={"name": IMBALANCED},
    ),
    "keel": Source(
        f"{_SOURCES}.sites.fetch_tables",
        ".dat files of the [KEEL repository](https://sci2s.ugr.es/keel/datasets.php)",
        "KEEL, {archive}",
        required=("archive",),
        optional=("members", "parts", "sha256"),
    ),
    "uci": Source(
        f"{_SOURCES}.sites.fetch_tables",
        "CSV files of the [UCI repository](https://archive.ics.uci.edu)",
        "UCI, {files}",
        either=("archive", "files"),
        optional=("members", "parts", "columns", "separator", "skip_rows", "sha256"),
    ),
    "unsw-nb15": Source(
        f"{_SOURCES}.sites.fetch_unsw",
        "the two CSV files of [UNSW-NB15](https://research.unsw.edu.au/projects/unsw-nb15-dataset)'s "
        "partition, without id, proto, service, state and label",
        "UNSW Canberra, two files by hand",
        required=("files",),
        optional=("sha256",),
        local=True,
    ),
    "torchvision": Source(
        f"{_SOURCES}.loaders.fetch_torchvision",
        "pixels p1, p2, ..., `split` and label; 11 and 170 MB; torchvision need not be installed "
        "([why](architecture.md#decisions))",
        "torchvision, {loader}",
        required=("loader",),
        choices={"loader": ("MNIST", "CIFAR10")},
    ),
    "glove": Source(
        f"{_SOURCES}.text_embeddings.fetch_glove",
        "mean word vectors of the texts of another data set",
        "{texts} and [GloVe]({vectors})",
        required=("texts", "vectors"),
        optional=("sha256", "md5"),
        mirrored=False,
        local=True,
    ),
    "text-svd": Source(
        f"{_SOURCES}.text_embeddings.fetch_svd",
        "TF-IDF and truncated SVD of the texts of another data set",
        "computed from {texts}",
        required=("texts",),
        optional=("dimensions",),
        mirrored=False,
    ),
    "vgg11": Source(
        f"{_SOURCES}.vgg11_embedding.fetch",
        "embeddings of the 32 x 32 colour images of another data set by torchvision's VGG11 network; needs "
        "`envs/images.lock`",
        "computed from {images}",
        required=("images",),
        optional=("weights", "epochs", "sha256"),
        mirrored=False,
        packages=("torch", "torchvision"),
        local=True,
    ),
    "confirmed-errors": Source(
        f"{_SOURCES}.confirmed_errors.fetch",
        "the test part of another data set with the labels that people confirmed, and in `given` those as published "
        "([votes](https://github.com/cleanlab/label-errors))",
        "computed from {table}",
        required=("table", "votes"),
        choices={"votes": ("mnist", "20newsgroups")},
        mirrored=False,
    ),
    "mirror": Source(
        f"{_SOURCES}.files.fetch_mirror",
        "a table that is only in a [mirror](#a-mirror-for-machines-without-a-network)",
        "a mirror only",
    ),
}


def mirrored(entry):
    """Whether a mirror folder, where one is given, takes the place of a source; not of what is here anyway."""
    return resolve(entry["source"]).mirrored and entry.get("loader") not in SHIPPED


def local_files(entry):
    """Paths of the files of this machine that an entry names, as a list."""
    if not resolve(entry["source"]).local:
        return []  # their files are addresses below that of the site
    places = [addresses.first(value) for value in (*addresses.named(entry), *filter(None, [entry.get("path")]))]
    return [place for place in places if not addresses.is_remote(place)]


def base(entry):
    """Id of the data set that an entry is computed from, and the field that says so; None, None for others."""
    return next(((entry[field], field) for field in ("texts", "images", "table") if field in entry), (None, None))


def resolve(name):
    """The entry of a source."""
    return entries.lookup("source", name, SOURCES)
