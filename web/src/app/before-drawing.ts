// Runs before the first paint of a page that the server drew. The Content-Security-Policy keeps style attributes out of HTML, so
// they come as data; a script may set styles. Mantine would set the colour scheme when it starts.
for (const element of document.querySelectorAll<HTMLElement>('[data-style]')) {
  element.style.cssText = element.dataset['style'] ?? ''
}
const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'
