# For scripts of the GPU that are to end by themselves within LIMIT seconds of their start, so that what they measured until then is told.
# To be sourced.
limit=${LIMIT:-100000}

# within COMMAND...: runs it, and ends it where no time is left. Status 124: it was ended so, or there was no time to begin it.
within() {
  local left=$((limit - SECONDS - 2 - limit / 20)) status # the rest is to end it and to tell
  [ $left -gt 0 ] || return 124
  # It stays in this script's group of processes, and so ends with it.
  timeout --foreground -k 1 $left "$@"
  status=$?
  [ $status -ne 137 ] || status=124
  return $status
}
