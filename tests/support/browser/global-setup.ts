import { chooseBrowser } from './browser.ts'

// oxlint-disable-next-line import/no-default-export -- Playwright calls the default export once, before it starts workers
export default chooseBrowser
