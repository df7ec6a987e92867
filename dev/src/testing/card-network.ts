import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stripe } from 'stripe'
import { freePort } from '../ports.ts'
import { startProgram, type Program } from './program.ts'

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_one',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_one',
  STRIPE_WEBHOOK_SECRET: 'whsec_one',
}
const main = new URL('../cards/main.ts', import.meta.url).pathname

export type BrowserAnswer = {
  readonly status: number
  readonly body: Record<string, unknown> & { error?: Record<string, unknown> }
}

/** The local card network as its own process, a shop that takes its webhooks, and the real SDK to talk to it. */
export class TestNetwork {
  readonly received: Stripe.Event[] = []
  /** What the shop answers to its next webhooks instead of 200. */
  readonly nextAnswers: number[] = []
  readonly port: number
  readonly stripe: Stripe
  readonly #folder = mkdtempSync(join(tmpdir(), 'marketplace-cards-'))
  readonly #shop: Server
  #program: Program | undefined

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
      this.received.push(this.stripe.webhooks.constructEvent(body, signature, keys.STRIPE_WEBHOOK_SECRET))
      response.writeHead(this.nextAnswers.shift() ?? 200).end()
    }).listen(0, '127.0.0.1')
  }

  settings(): Record<string, string> {
    const address = this.#shop.address()
    const shopPort = typeof address === 'object' && address ? address.port : 0
    const WEBHOOK_URL = `http://127.0.0.1:${shopPort}/api/stripe/webhook`
    return { ...keys, PORT: String(this.port), DATA_DIR: this.#folder, WEBHOOK_URL }
  }

  launch(more: Record<string, string> = {}): Program {
    return startProgram(main, { ...this.settings(), ...more })
  }

  async run(more: Record<string, string> = {}): Promise<void> {
    this.#program = this.launch(more)
    await this.#program.answers(`http://127.0.0.1:${this.port}/v1/payment_intents`)
  }

  async kill(): Promise<void> {
    this.#program?.kill('SIGKILL')
    await this.#program?.exited
  }

  async stop(): Promise<void> {
    await this.#program?.stop()
    this.#shop.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  create(amount = 2549, options: Stripe.RequestOptions = {}): Promise<Stripe.PaymentIntent> {
    const wanted = {
      amount,
      currency: 'usd',
      metadata: { sale_id: 's1' },
      automatic_payment_methods: { enabled: true },
    }
    return this.stripe.paymentIntents.create(wanted, options)
  }

  /** A call as the page makes it, with the publishable key. */
  async browser(path: string, fields: Record<string, string>): Promise<BrowserAnswer> {
    const body = new URLSearchParams({ key: keys.STRIPE_PUBLISHABLE_KEY, ...fields })
    const headers = { origin: 'http://localhost:8080' }
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { method: 'POST', body, headers })
    return { status: response.status, body: await response.json() }
  }

  confirm(intent: Stripe.PaymentIntent, number: string, more: Record<string, string> = {}): Promise<BrowserAnswer> {
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
