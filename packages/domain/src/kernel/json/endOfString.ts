const backslash = 92

/** The place of the quote that ends the string which begins here; the end of the text if none does. */
export const endOfString = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (end !== -1) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
    end = json.indexOf('"', end + 1)
  }
  return json.length
}
