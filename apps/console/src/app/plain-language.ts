/**
 * What the console writes is British English, whatever the browser speaks. Under LANG=C Chromium calls its language
 * `en-US@posix`, at which `Intl` throws inside libraries that ask for it when they are loaded, as uPlot does.
 */
Object.defineProperty(navigator, 'language', { value: 'en-GB' });
