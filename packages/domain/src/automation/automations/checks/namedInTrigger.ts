import type { NamedThing } from "../conditions/namedThings.ts"
import type { Trigger } from "../triggers/Trigger.ts"

/** What a trigger names by ids, and where. */
export const namedInTrigger = (when: Trigger | null, pointer = "/when"): ReadonlyArray<NamedThing> => {
  const named = (kind: NamedThing["kind"], field: string, ids: ReadonlyArray<string> | undefined) =>
    (ids ?? []).map((id, place): NamedThing => ({ kind, id, pointer: `${pointer}/${field}/${place}` }))
  if (when === null) return []
  return [
    ...("chatAccountIds" in when ? named("chat account", "chatAccountIds", when.chatAccountIds) : []),
    ...("tagIds" in when ? named("tag", "tagIds", when.tagIds) : []),
    ...("storeConnectionIds" in when ? named("store connection", "storeConnectionIds", when.storeConnectionIds) : []),
    ...("broadcastIds" in when ? named("broadcast", "broadcastIds", when.broadcastIds) : [])
  ]
}
