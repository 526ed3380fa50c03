import { Schema } from "effect"

/** `pending`: nobody has agreed in the shop yet. `error`: the shop does not let us in any more. `uninstalled`: the app is gone there. */
export const StoreConnectionStatus = Schema.Literals(["pending", "connected", "uninstalled", "error"])
export type StoreConnectionStatus = typeof StoreConnectionStatus.Type

interface Transition {
  readonly from: ReadonlyArray<StoreConnectionStatus>
  readonly to: StoreConnectionStatus
}

/** What happens to connections. */
export const connectionTransitions = {
  /** Somebody has agreed in the shop: for the first time, again, or after the app was gone. */
  connect: { from: ["pending", "connected", "error", "uninstalled"], to: "connected" },
  /** The shop refuses what was agreed. */
  lose: { from: ["connected"], to: "error" },
  uninstall: { from: ["connected", "error"], to: "uninstalled" }
} as const satisfies Readonly<Record<string, Transition>>
export type ConnectionTransition = keyof typeof connectionTransitions

/** The status after a transition; `null` if nothing happens in this status. */
export const connectionAfter = (
  from: StoreConnectionStatus,
  transition: ConnectionTransition
): StoreConnectionStatus | null => {
  const { from: before, to }: Transition = connectionTransitions[transition]
  return before.includes(from) ? to : null
}

/** Whether a connection in this status takes room in the plan. */
export const takesRoom = (status: StoreConnectionStatus): boolean => status !== "uninstalled"

/** Whether the shop is that of whoever has connected it, and nobody else's. */
export const holdsShop = (status: StoreConnectionStatus): boolean => status === "connected" || status === "error"
