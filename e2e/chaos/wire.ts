import { connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { freePort } from '@marketplace/dev/ports.ts'

/** A network between two parts of the stack: one port in front of another, on loopback. */
export class Wire {
  readonly port: number
  readonly #target: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #delayMs = 0
  #whole: Promise<void> | undefined
  #mend = () => {}

  static async to(target: number): Promise<Wire> {
    const wire = new Wire(target, await freePort())
    await new Promise<void>((done) => wire.#server.listen(wire.port, '127.0.0.1', done))
    return wire
  }

  private constructor(target: number, port: number) {
    this.#target = target
    this.port = port
    this.#server = createServer((near) => void this.#join(near))
  }

  /** The same address, through this wire. */
  before(url: string): string {
    const through = new URL(url)
    through.hostname = '127.0.0.1'
    through.port = String(this.port)
    return through.href
  }

  /** Each piece of data comes later by this. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs
  }

  /** Nothing passes and nobody is told: no reset, no refusal; ends of connections do not pass either. */
  cut(): void {
    this.#whole ??= new Promise((mended) => (this.#mend = mended))
  }

  /** From here on everything passes, also what waited. */
  mend(): void {
    this.#delayMs = 0
    this.#whole = undefined
    this.#mend()
  }

  stop(): Promise<void> {
    this.mend()
    return new Promise((done) => {
      this.#server.close(() => done())
      for (const socket of this.#sockets) socket.destroy()
    })
  }

  async #join(near: Socket): Promise<void> {
    this.#keep(near)
    await this.#whole
    if (near.destroyed) return
    const far = connect(this.#target, '127.0.0.1')
    this.#keep(far)
    const end = (other: Socket) => async () => {
      await this.#whole
      other.destroy()
    }
    near.once('close', end(far))
    far.once('close', end(near))
    near.pipe(this.#passage()).pipe(far)
    far.pipe(this.#passage()).pipe(near)
  }

  #passage(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const pass = () => done(null, chunk)
        if (this.#whole) void this.#whole.then(pass)
        else if (this.#delayMs > 0) setTimeout(pass, this.#delayMs)
        else pass()
      },
    })
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
  }
}
