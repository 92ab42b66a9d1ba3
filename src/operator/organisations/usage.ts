export const USAGE = `usage:
purser organisations list
purser organisations create NAME [--cell CELL]
purser organisations move NAME --to CELL [--reach URL]
purser organisations move NAME --abort
purser organisations limits NAME [--payment-soft CENTS] [--payment-hard CENTS] [--day-soft CENTS]
  [--day-hard CENTS] [--month-soft CENTS] [--month-hard CENTS] [--none]`
