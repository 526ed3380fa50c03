import type { ConditionInput } from "./ConditionInput.ts"

/** A condition without parts, and where it stands. */
export interface Leaf {
  readonly said: ConditionInput
  readonly pointer: string
}

/** The conditions without parts that there are in a condition, in their order. */
export const leavesOf = (input: ConditionInput, pointer: string): ReadonlyArray<Leaf> => [
  ...(input.field === undefined ? [] : [{ said: input, pointer }]),
  ...(input.all ?? []).flatMap((each, index) => leavesOf(each, `${pointer}/all/${index}`)),
  ...(input.any ?? []).flatMap((each, index) => leavesOf(each, `${pointer}/any/${index}`)),
  ...(input.not === undefined ? [] : leavesOf(input.not, `${pointer}/not`))
]
