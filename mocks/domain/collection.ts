/** Things in the order they came. A call costs as much as it touches, however many there are. */
export interface Collection<Item extends { readonly id: string }> {
  get(id: string): Item | undefined;
  /** Adds a thing, or replaces the one with its id. */
  set(item: Item): void;
  /** Deletes a thing; `false` when there is none with this id. */
  delete(id: string): boolean;
  /** Number of things. */
  readonly size: number;
  /** Lists at most `limit` things, newest first, as `view` shows them; `undefined` skips one. */
  list<View>(limit: number, view: (item: Item) => View | undefined): View[];
}

export const createCollection = <Item extends { readonly id: string }>(): Collection<Item> => {
  const places = new Map<string, number>();
  let items: (Item | undefined)[] = [];

  const closeGaps = (): void => {
    items = items.filter((item) => item !== undefined);
    items.forEach((item, place) => {
      if (item) places.set(item.id, place);
    });
  };

  return {
    get: (id) => {
      const place = places.get(id);
      return place === undefined ? undefined : items[place];
    },
    set: (item) => {
      const place = places.get(item.id) ?? items.length;
      places.set(item.id, place);
      items[place] = item;
    },
    delete: (id) => {
      const place = places.get(id);
      if (place === undefined) return false;
      places.delete(id);
      items[place] = undefined;
      // Half of the places are gaps: closing them costs no more than the deletions did.
      if (items.length > places.size * 2) closeGaps();
      return true;
    },
    get size() {
      return places.size;
    },
    list: (limit, view) => {
      const views = [];
      for (let place = items.length - 1; place >= 0 && views.length < limit; place -= 1) {
        const item = items[place];
        const shown = item && view(item);
        if (shown !== undefined) views.push(shown);
      }
      return views;
    },
  };
};
