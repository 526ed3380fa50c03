import { CurrentOrganization } from "@parley/domain/kernel"
import { templateSyncLaneAccountId, type ChatAccountId, TemplateSyncs } from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State, tenantOf, withTenant } from "../../store/State.ts"
import type { ChatAccountRow } from "../state.ts"
import { Store } from "../../store/Store.ts"
import { owns } from "../../platform/background/laneRows.ts"

export const layer = Layer.effect(
  TemplateSyncs,
  Effect.map(Store, (store) => {
    /** Changes the wanted template fetch of an account if needed. */
    const change = (
      id: ChatAccountId,
      changed: (row: ChatAccountRow, state: State) => ChatAccountRow["wanted"] | "unchanged"
    ) =>
      Effect.flatMap(CurrentOrganization, (organization) =>
        store.write<ChatAccountRow | null, never>((state) => {
          const { chatAccounts } = tenantOf(state, organization.id)
          const row = rowAt(chatAccounts, id)
          const wanted = row === null ? "unchanged" : changed(row, state)
          if (row === null || wanted === "unchanged") return [null, state]
          const after = { ...row, wanted, wantedRevision: row.wantedRevision + 1 }
          return [after, withTenant(state, organization.id, { chatAccounts: HashMap.set(chatAccounts, id, after) })]
        })
      )

    return TemplateSyncs.of({
      begin: (lane, { again, now }) =>
        Effect.map(
          change(templateSyncLaneAccountId(lane), ({ wanted }, state) =>
            wanted !== null && DateTime.isLessThanOrEqualTo(wanted.from, now) && owns(state, lane, null)
              ? { from: again, isBegun: true }
              : "unchanged"
          ),
          (row) => (row === null ? null : { lane, revision: row.wantedRevision })
        ),
      settle: ({ lane, revision }) =>
        Effect.asVoid(
          change(templateSyncLaneAccountId(lane), ({ wantedRevision }, state) =>
            wantedRevision === revision && owns(state, lane, null) ? null : "unchanged"
          )
        ),
      nextDue: (id) => store.readTenant(({ chatAccounts }) => rowAt(chatAccounts, id)?.wanted?.from ?? null)
    })
  })
)
