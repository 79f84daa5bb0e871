# Finds a Java 25 or newer; sourced by both launchers (the checkout's and the product's).
#
# find_java TOOL prints the home of an installation whose bin/TOOL exists (java to run, javac to build).
# Order: JAVA_HOME, the path, then the usual installation folders, newest first.

readonly REQUIRED_JAVA=25

java_major() { # HOME -> major version, or nothing
  local version=""
  if [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/java" -version 2>&1 | sed -n '1s/.*version "\([0-9]*\).*/\1/p') || version=""
  fi
  printf '%s' "$version"
}

java_fits() { # HOME TOOL
  local major
  [ -x "$1/bin/$2" ] && [ -x "$1/bin/java" ] || return 1
  major=$(java_major "$1")
  [ -n "$major" ] && [ "$major" -ge "$REQUIRED_JAVA" ]
}

resolve_link() { # PATH -> the file it finally names
  local path=$1 target
  while [ -L "$path" ]; do
    target=$(readlink "$path")
    case $target in
      /*) path=$target ;;
      *) path=$(dirname "$path")/$target ;;
    esac
  done
  printf '%s' "$path"
}

find_java() { # TOOL
  local tool=$1 found home best="" best_major=0 major
  if [ -n "${JAVA_HOME:-}" ] && java_fits "$JAVA_HOME" "$tool"; then
    printf '%s' "$JAVA_HOME"
    return 0
  fi
  if found=$(command -v "$tool" 2>/dev/null); then
    found=$(resolve_link "$found")
    home=$(dirname "$(dirname "$found")")
    if java_fits "$home" "$tool"; then
      printf '%s' "$home"
      return 0
    fi
  fi
  for home in /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/*java* /opt/java/* /usr/local/*jdk* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
    "${HOME:-/nonexistent}"/.m2/jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    java_fits "$home" "$tool" || continue
    major=$(java_major "$home")
    if [ "$major" -gt "$best_major" ]; then
      best=$home
      best_major=$major
    fi
  done
  [ -n "$best" ] || return 1
  printf '%s' "$best"
}

explain_missing_java() { # TOOL
  local kind="Java runtime"
  [ "$1" = javac ] && kind="JDK (with javac)"
  cat >&2 <<TEXT
dedup: no $kind $REQUIRED_JAVA or newer was found.
  Looked at: JAVA_HOME (${JAVA_HOME:-not set}), the path, /usr/lib/jvm, /usr/java, /opt, /usr/local, ~/.sdkman, ~/.jdks.
  Where it comes from:
    Debian 13+, Ubuntu 24.04+:  apt-get install openjdk-25-jdk-headless
    other systems:              Temurin $REQUIRED_JAVA, https://adoptium.net/temurin/releases/?version=$REQUIRED_JAVA
  An installation elsewhere is used when JAVA_HOME names it.
TEXT
}
