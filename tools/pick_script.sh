# Sourced after setup.sh: run_named_script VERB FOLDER NAME [ARGUMENT...] builds, then runs
# FOLDER/NAME.py (or .sh). Without a known NAME it says which there are. The words of the array
# run_within, if any, stand before that.
# shellcheck shell=bash
run_within=()

names_in() {
  local file
  for file in "$1"/*.py "$1"/*.sh; do
    [[ -x $file ]] && basename "${file%.*}"
  done | sort -u
}

run_named_script() {
  local verb=$1 folder=$2 name=${3-} script
  for script in "$folder/$name.py" "$folder/$name.sh"; do
    if [[ -n $name && -x $script ]]; then
      set_up
      build_tree build
      mkdir -p results
      exec "${run_within[@]}" "$script" "${@:4}"
    fi
  done
  fail "$verb ${name:-NAME}: no such script; usage: ./run $verb NAME, where NAME is one of:" \
    "$(names_in "$folder" | paste -sd ' ')"
}
