"""Files that appear whole or not at all."""

import errno
import os
import socket
import threading

import pytest

from ironbark.errors import InputError
from ironbark.files import is_special, owning, replacing, write_text


def test_the_file_appears_at_the_end_of_the_block_and_an_error_leaves_the_old_one(tmp_path):
    path = tmp_path / "deep" / "rows.csv"
    with replacing(path) as side:
        side.write_text("new")
        assert side.suffix == ".csv" and side.parent == path.parent and not path.exists()
    with pytest.raises(ZeroDivisionError), replacing(path) as side:
        side.write_text("half of it")
        _ = 1 / 0
    assert path.read_text() == "new" and os.listdir(path.parent) == ["rows.csv"]


def test_a_folder_replaces_a_folder(tmp_path):
    path = tmp_path / "set"
    for names in (["a", "b"], ["c"]):
        with replacing(path) as side:
            side.mkdir()
            for name in names:
                (side / name).touch()
        assert sorted(os.listdir(path)) == names
    assert os.listdir(tmp_path) == ["set"]


def test_two_writers_of_one_path_never_share_a_side_path(tmp_path):
    """They may be processes of the same number on two machines."""
    path = tmp_path / "a.txt"
    with replacing(path) as first, replacing(path) as second:
        assert first != second
        first.write_text("x")
        second.write_text("y")
    assert path.read_text() == "x" and [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_stays_and_its_target_is_replaced(tmp_path):
    (tmp_path / "far").mkdir()
    for name in ("real.csv", "new.csv"):  # the second does not exist
        real, link = tmp_path / "far" / name, tmp_path / f"link-{name}"
        (tmp_path / "far" / "real.csv").write_text("old")
        link.symlink_to(real)
        with pytest.raises(KeyError), replacing(link) as side:
            side.write_text("half")
            raise KeyError
        write_text(link, "new")
        assert link.is_symlink() and real.read_text() == "new" and not real.is_symlink()
    assert sorted(os.listdir(tmp_path / "far")) == ["new.csv", "real.csv"]


def test_a_device_is_written_to(tmp_path):
    master, slave = os.openpty()
    (tmp_path / "link").symlink_to(os.ttyname(slave))
    for path in (os.ttyname(slave), tmp_path / "link"):
        assert is_special(path)
        write_text(path, "rows")
        assert os.read(master, 100) == b"rows" and is_special(os.ttyname(slave))
    assert (tmp_path / "link").is_symlink()
    os.close(master)
    os.close(slave)


def test_sockets_and_links_in_a_circle_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        with pytest.raises(InputError, match="cannot write socket: it is a socket"):
            write_text("socket", "x")
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(InputError, match="cannot write a: its links lead in a circle"):
        write_text("a", "x")


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.EFBIG, "larger than `ulimit -f` or the file system allows; raise this limit"),
        (errno.ENOSPC, "disk is full; free some space"),
        (errno.EDQUOT, "quota is used up; free some space"),
        (errno.EROFS, "read-only; choose a folder"),
        (errno.EACCES, "permission is denied; choose a folder"),
        (errno.ENOTDIR, "is a file, not a folder; choose another path"),
        (errno.EISDIR, "is a folder; choose the path of a file"),
        (errno.ENOLCK, "file system has no locks; mount it with flock"),
        (errno.ENAMETOOLONG, "too long; choose a shorter one"),
    ],
)
def test_errors_that_users_can_mend_say_how(tmp_path, number, remedy):
    path = tmp_path / "a.txt"
    with pytest.raises(InputError, match=f"cannot write .*a.txt: .*{remedy}"), replacing(path) as side:
        side.write_text("part")
        raise OSError(number, os.strerror(number))
    assert os.listdir(tmp_path) == []


def test_other_errors_pass_through(tmp_path):
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "a.txt"):
        pass  # nothing was written
    with pytest.raises(OSError, match="Protocol error"), replacing(tmp_path / "a.txt"):
        raise OSError(errno.EPROTO, os.strerror(errno.EPROTO))


def test_the_next_owner_of_a_side_file_that_was_renamed_begins_a_new_one(tmp_path):
    side, told, seen = tmp_path / ".a.part", threading.Event(), []

    def second():
        with owning(side, told.set):
            seen.append((tmp_path / "a").read_bytes())

    with owning(side):
        thread = threading.Thread(target=second)
        thread.start()
        assert told.wait(10)
        (tmp_path / "a").write_bytes(b"whole")
    thread.join()
    assert seen == [b"whole"] and not side.exists()
