import { DateTime, Effect, Schema } from "effect"
import { defineJob } from "../../platform/jobs/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { FieldKey } from "../ContactField.ts"
import { ContactFields } from "../ContactFields.ts"
import { Contacts } from "../Contacts.ts"
import { ContactFieldId } from "../Ids.ts"

/** How many contacts a step clears. */
const stride = 1_000

/** Removes the values of a field from every contact, then the field. */
export const deleteContactFieldJob = defineJob({
  name: "contact_fields.delete",
  needs: null,
  input: Schema.Struct({ id: ContactFieldId, key: FieldKey }),
  checkpoint: Schema.Struct({ cleared: Schema.Int }),
  step: Effect.fnUntraced(function* ({ id, key }, checkpoint) {
    const cleared = yield* (yield* Contacts).clearAttribute(key, stride, yield* DateTime.now)
    const total = (checkpoint?.cleared ?? 0) + cleared
    const done = cleared < stride
    if (done) {
      yield* Effect.ignore((yield* ContactFields).remove(id))
      yield* appendEvent({ type: "contact_field.deleted", contactFieldId: id })
    }
    return { checkpoint: { cleared: total }, done, progress: { done: total, total: null }, counts: { cleared: total } }
  })
})
