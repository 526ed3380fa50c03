/** As wide as terminals are that nobody has made wider. */
export const screenWidth = 80
