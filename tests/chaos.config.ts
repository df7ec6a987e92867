import { defineConfig } from '@playwright/test'
import usual from './playwright.config.ts'

/**
 * The configuration of `npm run chaos`, and of its short form in `npm run test:real`. One worker, because the
 * tests add their outcomes to one table and compare the resources of one stack.
 */
export default defineConfig({ ...usual, testMatch: '**/*.chaos.ts', workers: 1, fullyParallel: false })
