#!/bin/sh
# pinned.sh CMD...   runs CMD on one processor, where that can be had: ratios are steadier there.
command -v taskset >/dev/null 2>&1 || exec "$@"
last=$(taskset -cp $$ | sed 's/.*[^0-9]//')
exec taskset -c "$last" "$@"
