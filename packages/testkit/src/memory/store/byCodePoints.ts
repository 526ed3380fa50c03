import { Order } from "effect"

/** Sorts texts by code points, like UTF-8 bytes in a database. `<` sorts by surrogate halves. */
export const byCodePoints: Order.Order<string> = Order.make((one, other) => {
  const [left, right] = [Array.from(one), Array.from(other)]
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [a = 0, b = 0] = [left[index]?.codePointAt(0), right[index]?.codePointAt(0)]
    if (a !== b) return a < b ? -1 : 1
  }
  return left.length === right.length ? 0 : left.length < right.length ? -1 : 1
})

/** Keys of several texts. The first difference decides. */
export const byKeys: Order.Order<ReadonlyArray<string>> = Order.make((one, other) => {
  for (const [index, text] of one.entries()) {
    const order = byCodePoints(text, other[index] ?? "")
    if (order !== 0) return order
  }
  return 0
})
