import { isClockTrigger } from "../../automations/index.ts"
import type { Fault } from "../../../kernel/index.ts"
import type { Graph } from "./Graph.ts"
import { triggersOf } from "./said.ts"

/** What runs are to see while they are under way, and is not logged: that nothing has happened for some time only begins them. */
export const faultsOfClocks = (graph: Graph): ReadonlyArray<Fault> =>
  triggersOf(graph).flatMap(({ pointer, said }) =>
    isClockTrigger(said) && said !== graph.entry?.event
      ? [{ pointer, message: `Expected an event that is logged: only an entry may be on ${said.event}` }]
      : []
  )
