import type { Remedy } from "@parley/domain"
import { undocumentedRefusals } from "./assumptions.ts"

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** The code of a number that sends too fast. */
export const tooFast = 130_429

const codes: Readonly<Record<Remedy, ReadonlyArray<number>>> = {
  retry: [1, 2, 131_000, ...undocumentedRefusals.retry],
  slow_down: [4, 80_007, tooFast, ...undocumentedRefusals.slowDown],
  delay_recipient: [131_056],
  skip_recipient: [131_026, 130_472, 131_062],
  skip_for_now: [131_049],
  opt_out: [131_050],
  needs_template: [131_047],
  refresh_template: [132_000, 132_001, ...undocumentedRefusals.refreshTemplate],
  stop_account: [131_048, 131_042, 131_031, 368],
  reauthorize: [0, 10, 190, ...range(200, 299)],
  give_up: [100, 131_008, 131_009, 131_051, 131_052, 131_053]
}

const remedies: ReadonlyMap<number, Remedy> = new Map(
  (Object.keys(codes) as ReadonlyArray<Remedy>).flatMap((remedy) =>
    codes[remedy].map((code): readonly [number, Remedy] => [code, remedy])
  )
)

/** What follows from an error code of the provider; `null` if it is not known. */
export const remedyOf = (code: number): Remedy | null => remedies.get(code) ?? null

/** Faults that the provider's front tells when it has not heard from what is behind it: with a 5xx, the deed may be done. */
export const faultsInFront: ReadonlySet<number> = new Set([1, 2])

/** How long to wait at least, where the provider's rules say so and its answer does not. */
export const patience: ReadonlyMap<number, number> = new Map([
  [131_056, 6_000],
  [131_057, 30_000],
  [tooFast, 1_000]
])

/** Every code that is classed, with what follows from it. */
export const errorTable: ReadonlyArray<readonly [number, Remedy]> = [...remedies]
