import { Effect } from "effect"
import { CurrentActor, holds } from "../../kernel/index.ts"
import type { AnyHolding } from "../ContactHolding.ts"

/** The holdings that the actor may read. */
export const readableHoldings = <H extends AnyHolding>(holdings: ReadonlyArray<H>) =>
  Effect.map(CurrentActor, (actor) => holdings.filter(({ permission }) => holds(actor, permission)))
