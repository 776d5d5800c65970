# What the gate (.ci/run) and the long checks (.ci/long) share; sourced in a clean clone.

started=$SECONDS
left_out=$(mktemp) # one line for each; a file, because parts run in processes of their own

part() { # part NAME COMMAND...
  local name=$1 begin=$SECONDS
  shift
  echo "== $name"
  "$@"
  echo "== $name: $((SECONDS - begin)) s"
}

# side_by_side FUNCTION...: all at once, each in a process of its own; their output is printed one
# after the other, and it fails if one of them failed.
side_by_side() {
  local name failed=0 logs processes=()
  logs=$(mktemp -d)
  for name in "$@"; do
    (set -e; "$name") >"$logs/$name" 2>&1 &
    processes+=($!)
  done
  for name in "$@"; do
    wait "${processes[0]}" || failed=1
    processes=("${processes[@]:1}")
    cat "$logs/$name"
  done
  rm -r "$logs"
  return $failed
}

# need COMMAND PACKAGE...: installs Debian's packages where the command is missing; says so and
# fails where that cannot be done, so that the caller leaves its part out.
need() {
  local command=$1
  shift
  command -v "$command" >/dev/null && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1 || true
  fi
  command -v "$command" >/dev/null && return
  echo "LEFT OUT: $command is not here and cannot be installed"
  echo "$command" >>"$left_out"
  return 1
}

summary() {
  local names
  names=$(paste -sd " " "$left_out")
  echo "left out for want of a tool: ${names:-nothing}"
  echo "all parts: $((SECONDS - started)) s"
}

# Where there is ccache, every build uses it, that of pip too. Paths below the clone count as relative,
# because every clone has another one; precompiled headers would differ for the same reason.
builds=()
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export SKBUILD_CMAKE_DEFINE=GRAMIAN_PRECOMPILE=OFF
  builds=(-DGRAMIAN_PRECOMPILE=OFF)
fi

# configure FOLDER OPTION...: a build of its own in build/FOLDER.
configure() {
  local folder=$1
  shift
  .venv/bin/cmake -S . -B "build/$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" -DPython_EXECUTABLE="$PWD/.venv/bin/python" \
    -Dnanobind_DIR="$(.venv/bin/python -m nanobind --cmake_dir)" "${builds[@]}" "$@" \
    >"build-$folder.log" 2>&1 || { cat "build-$folder.log"; return 1; }
}

# build FOLDER [TARGET...]: quiet, unless it fails.
build() {
  local folder=$1
  shift
  .venv/bin/cmake --build "build/$folder" ${1:+--target "$@"} >"build-$folder.log" 2>&1 ||
    { grep -vE '^\[[0-9]+/' "build-$folder.log" || true; return 1; }
}

# A module that stops at the first wrong access, overflow or conversion, beside the sources.
sanitized_module() {
  configure asan -DGRAMIAN_NATIVE_TESTS=ON \
    -DGRAMIAN_SANITIZE=address,undefined,float-cast-overflow
  build asan
  mkdir -p build/asan-src
  cp -r src/gramian build/asan-src/
  cp build/asan/_native*.so build/asan-src/gramian/
  cp "$(.venv/bin/python -c 'import gramian, pathlib; print(pathlib.Path(gramian.__file__).parent)')/_native.pyi" \
    build/asan-src/gramian/
}

# The instrumented programs and tests; leaks are Python's own.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
sanitized_pytest() {
  LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
    PYTHONPATH=build/asan-src .venv/bin/python -m pytest -q -n 2 -p no:cacheprovider "$@"
}
