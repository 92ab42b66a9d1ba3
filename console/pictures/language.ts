/**
 * A Chromium that runs in the POSIX locale reports the language `en-US@posix`, which `Intl` refuses, and uPlot asks `Intl`
 * for it when it is loaded. Import this module before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
