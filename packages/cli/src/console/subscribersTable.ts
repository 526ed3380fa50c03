import type { ShownSubscriber } from "@parley/domain"
import type { DateTime } from "effect"
import { ageOf } from "./age.ts"
import { table } from "./Table.ts"

/** Subscribers as a table: how far behind each is, and what holds it up. */
export const subscribersTable = (subscribers: ReadonlyArray<ShownSubscriber>, now: DateTime.Utc) =>
  table(subscribers, [
    { heading: "SUBSCRIBER", of: ({ name }) => name },
    { heading: "BEHIND IN", of: ({ behind }) => String(behind), align: "right" },
    {
      heading: "LAG",
      of: ({ waitingSince }) => (waitingSince === null ? "" : ageOf(waitingSince, now)),
      align: "right"
    },
    { heading: "FAILING IN", of: ({ failing }) => String(failing), align: "right" },
    { heading: "PARKED", of: ({ parked }) => String(parked), align: "right" },
    { heading: "", of: ({ isDeclared }) => (isDeclared ? "" : "gone from the code") }
  ])
