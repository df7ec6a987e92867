import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stripe } from 'stripe'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { openContract } from '@marketplace/card-network/stripe-api/contract.ts'
import { startProgram, type Program } from './program.ts'

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_one',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_one',
  STRIPE_WEBHOOK_SECRET: 'whsec_one',
}
const main = join(import.meta.dirname, '../../providers/card-network/src/main.ts')

export interface BrowserResponse {
  readonly status: number
  readonly body: Record<string, unknown> & { error?: Record<string, unknown> }
}

/** Runs the local card network in its own process, with a webhook endpoint and the real SDK as its client. */
export class TestNetwork {
  readonly received: Stripe.Event[] = []
  /** The statuses of the next webhook responses; 200 when empty. */
  readonly nextStatuses: number[] = []
  readonly port: number
  readonly stripe: Stripe
  readonly #folder = mkdtempSync(join(tmpdir(), 'marketplace-cards-'))
  readonly #shop: Server
  readonly #contract = openContract()
  readonly #programs: Program[] = []
  readonly #webhookViolations: string[] = []

  static async start(): Promise<TestNetwork> {
    const network = new TestNetwork(await freePort())
    await once(network.#shop, 'listening')
    await network.run()
    return network
  }

  constructor(port: number) {
    this.port = port
    this.stripe = new Stripe(keys.STRIPE_SECRET_KEY, {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    })
    this.#shop = createServer(async (request, response) => {
      const body = (await request.toArray()).join('')
      const signature = String(request.headers['stripe-signature'])
      this.#webhookViolations.push(...this.#contract.checkEvent(JSON.parse(body)))
      this.received.push(this.stripe.webhooks.constructEvent(body, signature, keys.STRIPE_WEBHOOK_SECRET))
      response.writeHead(this.nextStatuses.shift() ?? 200).end()
    }).listen(0, '127.0.0.1')
  }

  settings(): Record<string, string> {
    const address = this.#shop.address()
    const shopPort = typeof address === 'object' && address ? address.port : 0
    const WEBHOOK_URL = `http://127.0.0.1:${shopPort}/api/stripe/webhook`
    return { ...keys, PORT: String(this.port), DATA_DIR: this.#folder, WEBHOOK_URL, CONTRACT: 'report' }
  }

  launch(more: Record<string, string> = {}): Program {
    return startProgram(main, { ...this.settings(), ...more })
  }

  async run(more: Record<string, string> = {}): Promise<void> {
    const program = this.launch(more)
    this.#programs.push(program)
    await program.waitUntilReachable(`http://127.0.0.1:${this.port}/v1/payment_intents`)
  }

  async kill(): Promise<void> {
    this.#programs.at(-1)?.kill('SIGKILL')
    await this.#programs.at(-1)?.exited
  }

  /** Returns the calls and webhooks that violate Stripe's published API. */
  violations(): string[] {
    const lines = this.#programs.flatMap((program) => program.output().split('\n'))
    return [...lines.filter((line) => line.startsWith('contract violation: ')), ...this.#webhookViolations]
  }

  /** Stops the network and throws when there was a violation other than the expected ones. */
  async stop(expected: readonly string[] = []): Promise<void> {
    await this.#programs.at(-1)?.stop()
    this.#shop.close()
    rmSync(this.#folder, { recursive: true, force: true })
    const violations = this.violations().filter((violation) => !expected.includes(violation))
    if (violations.length > 0) throw new Error(violations.join('\n'))
  }

  create(amount = 2549, idempotencyKey?: string): Promise<Stripe.PaymentIntent> {
    const order = {
      amount,
      currency: 'usd',
      allowed_payment_method_types: ['card'],
      metadata: { sale_id: 's1' },
    } satisfies Stripe.PaymentIntentCreateParams
    return this.stripe.paymentIntents.create(order, { idempotencyKey } satisfies Stripe.RequestOptions)
  }

  /** Sends a request as the page does, with the publishable key. */
  async browser(path: string, fields: Record<string, string>): Promise<BrowserResponse> {
    const body = new URLSearchParams({ key: keys.STRIPE_PUBLISHABLE_KEY, ...fields })
    const headers = { origin: 'http://localhost:8080' }
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { method: 'POST', body, headers })
    return { status: response.status, body: await response.json() }
  }

  confirm(intent: Stripe.PaymentIntent, number: string, more: Record<string, string> = {}): Promise<BrowserResponse> {
    return this.browser(`/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: String(intent.client_secret),
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
      ...more,
    })
  }

  eventsOf(id: string): Stripe.Event[] {
    return this.received.filter((event) => 'id' in event.data.object && event.data.object.id === id)
  }
}
