/**
 * Calls back with the last of the elements whose top has passed under the header, whenever it is another one.
 *
 * @param {ReadonlyArray<HTMLElement>} elements in the order of the page
 * @param {(element: HTMLElement) => void} onPlace
 */
export const spy = (elements, onPlace) => {
  /** @type {HTMLElement | undefined} */
  let last
  let isWaiting = false
  const look = () => {
    isWaiting = false
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = elements.filter((element) => element.getBoundingClientRect().top < 120)
    const place = isAtEnd && scrollY > 0 ? elements.at(-1) : passed.at(-1)
    if (place === undefined || place === last) return
    last = place
    onPlace(place)
  }
  addEventListener(
    "scroll",
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(look)
    },
    { passive: true }
  )
  look()
}
