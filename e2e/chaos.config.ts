import { defineConfig } from '@playwright/test'
import usual from './playwright.config.ts'

/** Faults on real servers: `npm run chaos`, its short form with `npm run test:real`. */
export default defineConfig({ ...usual, testMatch: '**/*.chaos.ts' })
