import { Effect, Schema } from "effect"
import {
  fillTemplate,
  type MediaKind,
  type MessageTemplate,
  type TemplateInputs,
  valuePointer
} from "../../chat/index.ts"
import { invalid, ValidationFailed } from "../../../kernel/index.ts"
import { MediaId } from "../Ids.ts"
import { sendableFile } from "./fileToSend.ts"

const isMediaId = Schema.is(MediaId)

/** A file that a part of a template is filled with. */
export interface FileValue {
  readonly id: MediaId
  readonly kind: MediaKind
  readonly pointer: string
}

/**
 * Refuses values that the template could not be sent with; `at` is where they stand. Gives the files among them, which may be
 * sent.
 */
export const checkValues = Effect.fnUntraced(function* (
  template: MessageTemplate,
  values: TemplateInputs,
  at: "/template/values" | "/values"
) {
  const filling = fillTemplate(template, values, at)
  if (Array.isArray(filling)) return yield* new ValidationFailed({ errors: filling })
  const files: Array<FileValue> = []
  for (const { key, kind } of template.variables) {
    if (kind !== "image" && kind !== "video" && kind !== "document") continue
    const id = values[key]
    const pointer = valuePointer(at, key)
    if (!isMediaId(id)) return yield* invalid(pointer, "Expected the id of a file that was uploaded")
    yield* sendableFile(id, kind, pointer)
    files.push({ id, kind, pointer })
  }
  return files
})
