import { DateTime, Effect } from "effect"

/** When the monthly counts start anew. */
export const nextMonth = Effect.map(DateTime.now, (now) => DateTime.startOf(DateTime.add(now, { months: 1 }), "month"))
