export const USAGE = `usage:
purser cells list
purser cells retire NAME [--yes]`
