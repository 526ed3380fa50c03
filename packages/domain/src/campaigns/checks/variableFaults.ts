import { type MessageTemplate, valuePointer } from "../../chat/index.ts"
import type { Fault } from "../../kernel/index.ts"
import type { Variables } from "../values/Value.ts"

/** What of the values cannot fill the variables of the template; `at` is where the values stand. Variables may be left out. */
export const variableFaults = ({ variables }: MessageTemplate, values: Variables, at: string): ReadonlyArray<Fault> =>
  Object.entries(values).flatMap(([key, value]) => {
    const variable = variables.find((each) => each.key === key)
    const pointer = valuePointer(at, key)
    if (variable === undefined) return [{ pointer, message: "The template has no such variable" }]
    return isFileOrPlace(variable.kind) && value.kind !== "constant"
      ? [{ pointer: `${pointer}/kind`, message: "Expected a constant: files and places are the same for everybody" }]
      : []
  })

const isFileOrPlace = (kind: MessageTemplate["variables"][number]["kind"]) =>
  kind === "image" || kind === "video" || kind === "document" || kind === "location"
