import type { NodeId } from "./NodeId.ts"

/** Where nodes lead to. */
export type Ways = ReadonlyMap<NodeId, ReadonlyArray<NodeId>>

/** Everything that can be come to from these nodes, they themselves included. */
export const reachableFrom = (starts: Iterable<NodeId>, ways: Ways): ReadonlySet<NodeId> => {
  const reached = new Set(starts)
  // What is added while a set is gone through is gone through as well.
  for (const each of reached) for (const next of ways.get(each) ?? []) reached.add(next)
  return reached
}

/** The same ways, the other way round. */
export const reversed = (ways: Ways): Ways => {
  const back = new Map<NodeId, Array<NodeId>>()
  for (const [from, nexts] of ways) {
    for (const next of nexts) {
      const known = back.get(next)
      if (known === undefined) back.set(next, [from])
      else known.push(from)
    }
  }
  return back
}
