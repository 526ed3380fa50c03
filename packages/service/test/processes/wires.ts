import type { Wire } from "../../src/processes/Channel.ts"

/** Two ends of a wire: what the one sends, the other hears. */
export const wires = (): readonly [Wire, Wire] => {
  const heard: [(message: unknown) => void, (message: unknown) => void] = [() => {}, () => {}]
  const end = (own: 0 | 1, other: 0 | 1): Wire => ({
    send: (message) => heard[other](message),
    onMessage: (hear) => {
      heard[own] = hear
    }
  })
  return [end(0, 1), end(1, 0)]
}
