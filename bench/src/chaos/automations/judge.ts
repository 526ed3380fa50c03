import { check, type Check } from "../verdict.ts"

/** An event with matching automations. */
export interface Tagging {
  readonly organizationId: string
  readonly position: number
}

/** A stored run. */
export interface PerformedRun extends Tagging {
  /** Of its automation. */
  readonly name: string
  readonly state: string
  readonly isOver: boolean
}

/** A note on a conversation, in order of creation. */
export interface Noted {
  readonly organizationId: string
  readonly conversationId: string
  /** The name of the automation and the position of the event. */
  readonly text: string
}

interface Found {
  readonly taggings: ReadonlyArray<Tagging>
  readonly runs: ReadonlyArray<PerformedRun>
  readonly notes: ReadonlyArray<Noted>
}

const expected = [
  ["first", "succeeded", 1],
  ["never", "skipped", 0],
  ["second", "succeeded", 1]
] as const

const grouped = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const found = new Map<string, Array<A>>()
  for (const one of all) {
    const before = found.get(keyOf(one))
    if (before === undefined) found.set(keyOf(one), [one])
    else before.push(one)
  }
  return found
}

/** Where in its conversation a note belongs: by its event, then by its automation. */
const turnOf = ({ text }: Noted): number => {
  const [name, position] = text.split(" ")
  return Number(position) * 2 + (name === "second" ? 1 : 0)
}

/** Compares runs and their effects with the log of events. */
export const judge = ({ notes, runs, taggings }: Found): ReadonlyArray<Check> => {
  const runsOf = grouped(runs, ({ name, organizationId, position }) => `${organizationId} ${name} ${position}`)
  const notesOf = grouped(notes, ({ organizationId, text }) => `${organizationId} ${text}`)
  const known = new Set(taggings.map(({ organizationId, position }) => `${organizationId} ${position}`))
  const owed = taggings.flatMap((event) =>
    expected.map(([name, state, effects]) => ({ ...event, name, state, effects }))
  )
  return [
    check("each event has started each automation once", owed, ({ name, organizationId, position }) => {
      const found = runsOf.get(`${organizationId} ${name} ${position}`)?.length ?? 0
      return found === 1 ? null : `${position} of ${organizationId} has started ${name} ${found} times`
    }),
    check("each run has ended as it ought to", owed, ({ name, organizationId, position, state }) => {
      const found = runsOf.get(`${organizationId} ${name} ${position}`)?.[0]?.state ?? "absent"
      return found === state ? null : `${name} about ${position} of ${organizationId} is ${found}`
    }),
    check("each run has had its effect once", owed, ({ effects, name, organizationId, position }) => {
      const found = notesOf.get(`${organizationId} ${name} ${position}`)?.length ?? 0
      return found === effects ? null : `${found} notes by ${name} about ${position} of ${organizationId}`
    }),
    check("what was written is about an event that is there", notes, ({ organizationId, text }) =>
      known.has(`${organizationId} ${text.split(" ")[1]}`) ? null : `${text} in ${organizationId}`
    ),
    check(
      "on each conversation it stands in the order of events and automations",
      grouped(notes, ({ conversationId }) => conversationId),
      ([id, its]) => {
        const turns = its.map(turnOf)
        return turns.every((turn, place) => place === 0 || turn > (turns[place - 1] ?? 0))
          ? null
          : `${id}: ${turns.join(" ")}`
      }
    )
  ]
}
