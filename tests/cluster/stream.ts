import type { LoadTarget } from './support/load.ts'

export interface AuctionState {
  current_bid: number | null
  leader?: string
}

/** Runs `act` while an auction's live stream is open, and returns the first state afterwards that matches. */
export async function stateAfter(
  { url, auctionId }: Pick<LoadTarget, 'url' | 'auctionId'>,
  act: () => Promise<void>,
  isIt: (state: AuctionState) => boolean,
): Promise<AuctionState> {
  let acting: Promise<void> | undefined
  for await (const state of statesOf(new URL(`/api/auctions/${auctionId}/stream`, url))) {
    if (acting && isIt(state)) {
      await acting
      return state
    }
    acting ??= act()
  }
  throw new Error('The live stream ended before the state was reached.')
}

async function* statesOf(stream: URL): AsyncGenerator<AuctionState> {
  const response = await fetch(stream, { signal: AbortSignal.timeout(60_000) })
  let text = ''
  // Returning from the caller's loop closes the stream.
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^data: ?(.*)$/m.exec(event) ?? []
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}
