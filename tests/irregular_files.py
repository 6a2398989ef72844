"""What may lie where a file is to be written: makers of things that must not be replaced."""

import os


def link(path, victim):
    path.symlink_to(victim)


def dangling_link(path, _victim):
    path.symlink_to("nowhere")


def pipe(path, _victim):
    os.mkfifo(path)
