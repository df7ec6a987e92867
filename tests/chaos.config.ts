import { defineConfig } from '@playwright/test'
import usual from './playwright.config.ts'

/** The configuration of `npm run chaos`, and of its short form in `npm run test:real`. */
export default defineConfig({ ...usual, testMatch: '**/*.chaos.ts' })
