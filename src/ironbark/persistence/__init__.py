"""Fitted trees and forests in files without pickle."""

from ironbark.persistence.files import load, save

__all__ = ["load", "save"]
