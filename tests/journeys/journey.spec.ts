import { test } from '../support/processes/stack.ts'
import { declareJourney } from './journey.ts'

declareJourney(test, 'the own sign-in and card providers')
