import * as Os from "node:os"
import type { Settings } from "./settings.ts"

const userOfThisMachine = () => {
  try {
    return Os.userInfo().username
  } catch {
    // A container may run under a number that has no name.
    return "operator"
  }
}

/** The name under which an operator's changes are written down. */
export const operatorName = (settings: Pick<Settings, "operator">) => settings.operator.value ?? userOfThisMachine()
