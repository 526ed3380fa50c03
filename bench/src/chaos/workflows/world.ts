import {
  type ContactId,
  createWorkflow,
  type Graph,
  type OrganizationId,
  publishWorkflow,
  type TagId,
  type WorkflowId
} from "@parley/domain"
import { Effect } from "effect"
import { givenTag } from "../../automations/given.ts"
import { within } from "../../campaigns/given.ts"
import { type Line, ownLine } from "../../chat/provider.ts"
import { givenOrganization } from "../../webhooks/given.ts"
import { type Care, called, caring, welcoming } from "./graphs.ts"

/** An organization with contacts in three workflows. */
export interface World {
  readonly organizationId: OrganizationId
  readonly line: Line
  readonly care: Care
  readonly welcomed: TagId
  readonly caringId: WorkflowId
  readonly welcomingId: WorkflowId
}

/** A contact with its phone number. */
export interface Person {
  readonly contactId: ContactId
  readonly phone: string
}

const published = Effect.fnUntraced(function* (name: string, graph: Graph) {
  const { id } = yield* createWorkflow({ name, graph })
  yield* publishWorkflow({ id, ifVersion: null })
  return id
})

/** An organization with its number and its workflows, without runs. */
export const givenWorld = Effect.fnUntraced(function* (place: number) {
  const organizationId = yield* givenOrganization(`chaos-${place}`)
  const tag = (name: string) => givenTag(organizationId, name)
  const welcomed = yield* tag("welcomed")
  const line: Line = { ...ownLine(place), organizationId, path: `/webhooks/chat/${organizationId}` }
  return yield* Effect.gen(function* () {
    const care: Care = {
      start: yield* tag("start"),
      bought: yield* tag("bought"),
      gone: yield* tag("gone"),
      calledId: yield* published("called", called)
    }
    const welcomingId = yield* published("welcome", welcoming(welcomed))
    const caringId = yield* published("care", caring(1, care))
    return { organizationId, line, care, welcomed, caringId, welcomingId } satisfies World
  }).pipe(within(organizationId))
})
