import { connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A TCP proxy on loopback that can delay or drop the traffic between two parts of the stack. */
export class TcpProxy {
  port = 0
  readonly #target: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #delayMs = 0
  #cutUntil: Promise<void> | undefined
  #isAffected: (port: number) => boolean = () => true
  #mend = () => {}

  static async open(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target)
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done))
    const address = proxy.#server.address()
    proxy.port = typeof address === 'object' && address ? address.port : 0
    return proxy
  }

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((near) => void this.#join(near))
  }

  /** Returns the URL with this proxy's host and port. */
  through(url: string): string {
    const through = new URL(url)
    through.hostname = '127.0.0.1'
    through.port = String(this.port)
    return through.href
  }

  /** Delays each chunk by `delayMs`. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs
  }

  /**
   * Stops traffic without a reset or a refusal, and does not forward the closing of connections. Affects only the
   * connections from client ports for which `isAffected` is true, by default all.
   */
  cut(isAffected: (port: number) => boolean = () => true): void {
    this.#isAffected = isAffected
    this.#cutUntil ??= new Promise((mended) => (this.#mend = mended))
  }

  /** Resumes all traffic. Delivers what was held back. */
  restore(): void {
    this.#delayMs = 0
    this.#cutUntil = undefined
    this.#mend()
  }

  /** Accepts connections on the same port again after `stop`. */
  start(): Promise<void> {
    return new Promise((done) => this.#server.listen(this.port, '127.0.0.1', done))
  }

  stop(): Promise<void> {
    this.restore()
    return new Promise((done) => {
      this.#server.close(() => done())
      for (const socket of this.#sockets) socket.destroy()
    })
  }

  /** Resolves when traffic from this client port is no longer cut. */
  #restored(port: number): Promise<void> | undefined {
    return this.#cutUntil && this.#isAffected(port) ? this.#cutUntil : undefined
  }

  async #join(near: Socket): Promise<void> {
    const port = near.remotePort ?? 0
    this.#track(near)
    await this.#restored(port)
    if (near.destroyed) return
    const far = connect(this.#target, '127.0.0.1')
    this.#track(far)
    const end = (other: Socket) => async () => {
      await this.#restored(port)
      other.destroy()
    }
    near.once('close', end(far))
    far.once('close', end(near))
    near.pipe(this.#channel(port)).pipe(far)
    far.pipe(this.#channel(port)).pipe(near)
  }

  #channel(port: number): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const pass = () => done(null, chunk)
        const restored = this.#restored(port)
        if (restored) void restored.then(pass)
        else if (this.#delayMs > 0) setTimeout(pass, this.#delayMs)
        else pass()
      },
    })
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
  }
}
