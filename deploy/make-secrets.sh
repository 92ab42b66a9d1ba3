#!/bin/sh
# Makes the secrets of compose.yaml in the folder `secrets` beside this file. Secrets that exist are kept.
set -eu
umask 077
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"

# Makes a secret from the standard input. The service runs as another user and reads the file itself: the folder, which only
# its owner may enter, keeps everyone else out.
make() {
  if [ -e "$folder/$1" ]; then
    cat > /dev/null
    return
  fi
  cat > "$folder/$1.new"
  chmod 644 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

random() {
  head -c 32 /dev/urandom | base64 | tr -d '\n'
}

random | tr '+/' '-_' | tr -d '=' | make database-password
random | make encryption-key
random | tr '+/' '-_' | tr -d '=' | make api-key
printf 'postgres://purser:%s@database:5432/purser' "$(cat "$folder/database-password")" | make database-url
echo "The secrets are in $folder. Keep a copy of encryption-key apart from the backups of the database."
