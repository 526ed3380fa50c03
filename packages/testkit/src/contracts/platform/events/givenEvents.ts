import { Outbox } from "@parley/domain/kernel"
import { EventLog, MemberId } from "@parley/domain/platform"
import { AutomationId } from "@parley/domain/automation"
import type { DomainEvent } from "@parley/domain/composition"
import { Effect } from "effect"
import { freshId } from "../../given.ts"

export const automationCreated = (): DomainEvent => ({
  type: "automation.created",
  automationId: freshId(AutomationId)
})
export const memberRemoved = (): DomainEvent => ({ type: "member.removed", memberId: freshId(MemberId) })

export const appendEvent = (event: DomainEvent = automationCreated()) =>
  Effect.flatMap(Outbox, (outbox) => outbox.append(event))

export const types = ["automation.created", "member.removed"]

export const list = (types: ReadonlyArray<string>, after: number | null = null, limit = 100) =>
  Effect.flatMap(EventLog, (log) => log.list(types, { limit, after: after === null ? null : [String(after)] }))
