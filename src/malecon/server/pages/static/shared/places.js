// Moves and the places on the board that belong to them, as the server writes them: `data-places` of a move's button.

/**
 * Returns the ids of the places that belong to a move.
 * @param {HTMLElement} button
 */
export const placesOf = (button) => (button.dataset.places ?? "").split(" ").filter(Boolean);

/**
 * Returns the moves among these that belong to a place.
 * @param {HTMLButtonElement[]} buttons
 * @param {string} place
 */
export const movesAt = (buttons, place) => buttons.filter((button) => placesOf(button).includes(place));
