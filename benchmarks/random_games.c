/* Random games of Santiago de Cuba in plain C: the rules of games/santiago, function by function, and the loop of
   simulation/whole_games.py around them. It is here to be compared with, and plays the very same games. */

#include <stdint.h>
#include <string.h>

enum { SUGAR, CITRUS, TOBACCO, RUM, CIGARS, WOOD, GOODS };
enum { PORT = 0, STOPS = 10, SITES = 12, SITES_PER_FLOWER = 3, SHIPS = 7, MOST_PLAYERS = 4 };
enum { LOWEST_VALUE = 2, HIGHEST_VALUE = 4, LONGEST_DRIVE = 40, MOST_AT_CASINO = 99, LONGEST_GAME = 50000 };
enum { PEDRO, MARIA, JOSE, MARTINEZ, CONCHITA, EL_ZORRO, MIGUEL, DON_PABLO, DR_ALONSO, CUBANS };
enum { BANK, CHURCH, DISTILLERY, FACTORY, MARKET, SAWMILL, CAFE, CUSTOMS, CASINO, HARBORMASTER, OFFICE, NEWSPAPER };
enum {
    PLACE_BUILDINGS, PLACE_CUBANS, CHOOSE_STARTER, ROLL, DEMAND, DRIVE, PABLO, ZORRO, ALONSO, VISIT, USE, DELIVER,
    OVER, ARRIVE, END_OF_TURN, NEXT_TURN
};
enum { CHANCE = -1, NOBODY = -2 };

/* The first code of each family of moves, as games/santiago/moves.py numbers them. */
enum {
    M_DRIVE = 0,
    M_TAKE = M_DRIVE + LONGEST_DRIVE,
    M_GIVE_PESO = M_TAKE + 5,
    M_GIVE_POINT,
    M_GIVE_GOOD,
    M_SEIZE = M_GIVE_GOOD + 5,
    M_VISIT = M_SEIZE + SITES,
    M_PASS = M_VISIT + SITES,
    M_USE_BANK,
    M_USE_CHURCH,
    M_USE_SAWMILL,
    M_MAKE_RUM,
    M_MAKE_CIGARS = M_MAKE_RUM + 8,
    M_SWAP = M_MAKE_CIGARS + 8,
    M_SERVE_RUM = M_SWAP + 20,
    M_SERVE_CIGARS,
    M_SERVE_BOTH,
    M_CLEAR,
    M_BUY_POINTS = M_CLEAR + 5,
    M_SELL_POINTS = M_BUY_POINTS + MOST_AT_CASINO,
    M_FLAG_RIGHT = M_SELL_POINTS + MOST_AT_CASINO,
    M_FLAG_LEFT,
    M_CONSIGN,
    M_PRINT = M_CONSIGN + 5,
    M_PRINT_ABOUT,
    M_DELIVER = M_PRINT_ABOUT + CUBANS,
    M_DELIVER_WOOD = M_DELIVER + 20,
    M_LEAVE_OUT = M_DELIVER_WOOD + 20,
    M_PLACE_BUILDING = M_LEAVE_OUT + 5,
    M_PLACE_CUBAN = M_PLACE_BUILDING + SITES,
    M_STARTER = M_PLACE_CUBAN + CUBANS,
    M_ROLL = M_STARTER + MOST_PLAYERS
};

typedef struct {
    int8_t phase, actor, active, players, starter, open_screens, step, car, ship, value, departed, left_out, passed;
    int16_t face_down;
    int8_t cuban_at[STOPS], building_at[SITES], owner[SITES], demand[WOOD], supply[GOODS];
    int8_t piece[MOST_PLAYERS], markers[MOST_PLAYERS];
    int16_t pesos[MOST_PLAYERS], points[MOST_PLAYERS];
    int8_t goods[MOST_PLAYERS][GOODS];
} Position;

static const int8_t DICE[WOOD][6] = {
    {0, 1, 1, 2, 2, 3}, {0, 1, 2, 2, 3, 4}, {0, 1, 1, 2, 2, 3}, {0, 1, 1, 2, 2, 3}, {0, 1, 1, 2, 2, 3},
};
static const int8_t CUBAN_FLOWER[CUBANS] = {0, 3, 1, 2, 1, -1, 2, 3, 0};
static const int8_t CUBAN_PESOS[CUBANS] = {0, 0, 0, 3, 0, 0, 0, 0, 0};
static const int8_t CUBAN_POINTS[CUBANS] = {0, 2, 0, 0, 0, 0, 0, 0, 0};
static const int8_t CUBAN_GOOD[CUBANS] = {TOBACCO, -1, SUGAR, -1, CITRUS, -1, WOOD, -1, -1};
static const int8_t CUBAN_GOODS[CUBANS] = {2, 0, 2, 0, 2, 0, 2, 0, 0};

static int least(int a, int b) { return a < b ? a : b; }

static int put(int16_t *out, int count, int move) {
    if (out) out[count] = (int16_t)move;
    return count + 1;
}

/* --- the port */

static int is_over(const Position *p) { return p->ship > SHIPS; }

static void take_goods(Position *p, int seat, int good, int count) {
    p->supply[good] -= count;
    p->goods[seat][good] += count;
}

static int goods_of(const Position *p, int seat) {
    int sum = 0;
    for (int good = 0; good < GOODS; good++) sum += p->goods[seat][good];
    return sum;
}

static void sail(Position *p) {
    p->ship++;
    p->value = LOWEST_VALUE;
    memset(p->demand, 0, sizeof p->demand);
    p->left_out = -1;
    p->departed = 1;
    if (is_over(p)) {
        p->phase = OVER;
        p->actor = NOBODY;
        for (int seat = 0; seat < p->players; seat++) p->points[seat] += goods_of(p, seat) / 3;
    }
}

static void move_flag_right(Position *p) {
    if (p->value == HIGHEST_VALUE) sail(p);
    else p->value++;
}

static int nothing_in_demand(const Position *p) {
    for (int good = 0; good < WOOD; good++)
        if (p->demand[good] > 0) return 0;
    return 1;
}

static void lower_demand(Position *p, int good, int units) {
    p->demand[good] -= units;
    if (nothing_in_demand(p)) sail(p);
}

static int start_rolling(Position *p) {
    p->step = 0;
    p->actor = CHANCE;
    return ROLL;
}

static int roll(Position *p, int move) {
    int good = p->step;
    p->demand[good] = DICE[good][move - M_ROLL - 6 * good];
    p->step++;
    if (p->step < WOOD) return ROLL;
    p->actor = p->active;
    return DEMAND;
}

static int leave_out(Position *p, int move) {
    int good = move - M_LEAVE_OUT;
    p->demand[good] = 0;
    if (nothing_in_demand(p)) {
        sail(p);
        return is_over(p) ? OVER : start_rolling(p);
    }
    p->left_out = good;
    p->departed = 0;
    return NEXT_TURN;
}

static int list_deliveries(const Position *p, int seat, int16_t *out) {
    int count = 0, wood = p->goods[seat][WOOD];
    for (int good = 0; good < WOOD; good++) {
        int demanded = p->demand[good];
        int units = least(demanded, p->goods[seat][good]);
        for (int unit = 0; unit < units; unit++) out[count++] = M_DELIVER + WOOD * unit + good;
        units = least(demanded, wood);
        for (int unit = 0; unit < units; unit++) out[count++] = M_DELIVER_WOOD + WOOD * unit + good;
    }
    out[count++] = M_PASS;
    return count;
}

static int deliver(Position *p, int move) {
    int seat = p->actor;
    if (move == M_PASS) {
        p->passed |= 1 << seat;
    } else {
        int in_wood = move >= M_DELIVER_WOOD;
        int choice = move - (in_wood ? M_DELIVER_WOOD : M_DELIVER);
        int units = choice / WOOD + 1, good = choice % WOOD;
        if (in_wood) {
            take_goods(p, seat, WOOD, -units);
            p->points[seat] += units;
        } else {
            take_goods(p, seat, good, -units);
            p->points[seat] += units * p->value;
        }
        lower_demand(p, good, units);
        if (p->departed) return END_OF_TURN;
    }
    if (p->passed == (1 << p->players) - 1) {
        move_flag_right(p);
        return END_OF_TURN;
    }
    do seat = (seat + 1) % p->players;
    while (p->passed >> seat & 1);
    p->actor = seat;
    return DELIVER;
}

/* --- the buildings */

static int list_uses(const Position *p, int seat, int building, int16_t *out, int count) {
    const int8_t *goods = p->goods[seat];
    switch (building) {
    case BANK:
        return put(out, count, M_USE_BANK);
    case CHURCH:
        return put(out, count, M_USE_CHURCH);
    case DISTILLERY:
        for (int n = 0; n < least(goods[SUGAR], p->supply[RUM]); n++) count = put(out, count, M_MAKE_RUM + n);
        return count;
    case FACTORY:
        for (int n = 0; n < least(goods[TOBACCO], p->supply[CIGARS]); n++) count = put(out, count, M_MAKE_CIGARS + n);
        return count;
    case MARKET:
        for (int given = 0; given < WOOD; given++)
            if (goods[given] > 0)
                for (int taken = 0; taken < WOOD; taken++)
                    if (taken != given && p->supply[taken] > 0)
                        count = put(out, count, M_SWAP + 4 * given + taken - (taken > given));
        return count;
    case SAWMILL:
        return goods[WOOD] > 0 ? put(out, count, M_USE_SAWMILL) : count;
    case CAFE:
        if (goods[RUM] > 0) count = put(out, count, M_SERVE_RUM);
        if (goods[CIGARS] > 0) count = put(out, count, M_SERVE_CIGARS);
        if (goods[RUM] > 0 && goods[CIGARS] > 0) count = put(out, count, M_SERVE_BOTH);
        return count;
    case CUSTOMS:
        for (int good = 0; good < WOOD; good++)
            if (p->demand[good] > 0) count = put(out, count, M_CLEAR + good);
        return count;
    case CASINO: {
        int most = least(p->pesos[seat] / 3, MOST_AT_CASINO);
        for (int n = 0; n < most; n++) count = put(out, count, M_BUY_POINTS + n);
        most = least(p->points[seat], MOST_AT_CASINO);
        for (int n = 0; n < most; n++) count = put(out, count, M_SELL_POINTS + n);
        return count;
    }
    case HARBORMASTER:
        count = put(out, count, M_FLAG_RIGHT);
        return p->value > LOWEST_VALUE ? put(out, count, M_FLAG_LEFT) : count;
    case OFFICE:
        for (int good = 0; good < WOOD; good++)
            if (p->demand[good] > 0 && goods[good] > 0) count = put(out, count, M_CONSIGN + good);
        return count;
    case NEWSPAPER:
        count = put(out, count, M_PRINT);
        for (int cuban = 0; cuban < CUBANS; cuban++)
            if (!(p->face_down >> cuban & 1)) count = put(out, count, M_PRINT_ABOUT + cuban);
        return count;
    }
    return count;
}

static void serve(Position *p, int seat, int good) {
    take_goods(p, seat, good, -1);
    p->points[seat] += 2;
}

static void trade_in(Position *p, int seat, int raw, int ware, int count) {
    take_goods(p, seat, raw, -count);
    take_goods(p, seat, ware, count);
}

static void exchange(Position *p, int seat, int bought) {
    p->pesos[seat] -= 3 * bought;
    p->points[seat] += bought;
}

static void use(Position *p, int move) {
    int seat = p->active;
    if (move == M_USE_BANK) {
        p->pesos[seat] += 2;
    } else if (move == M_USE_CHURCH) {
        p->points[seat] += 1;
    } else if (move == M_USE_SAWMILL) {
        take_goods(p, seat, WOOD, -1);
        p->points[seat] += 1;
        p->pesos[seat] += 1;
    } else if (move < M_MAKE_CIGARS) {
        trade_in(p, seat, SUGAR, RUM, move - M_MAKE_RUM + 1);
    } else if (move < M_SWAP) {
        trade_in(p, seat, TOBACCO, CIGARS, move - M_MAKE_CIGARS + 1);
    } else if (move < M_SERVE_RUM) {
        int given = (move - M_SWAP) / 4, taken = (move - M_SWAP) % 4;
        trade_in(p, seat, given, taken + (taken >= given), 1);
    } else if (move < M_CLEAR) {
        if (move != M_SERVE_CIGARS) serve(p, seat, RUM);
        if (move != M_SERVE_RUM) serve(p, seat, CIGARS);
    } else if (move < M_BUY_POINTS) {
        int good = move - M_CLEAR;
        lower_demand(p, good, p->demand[good]);
    } else if (move < M_SELL_POINTS) {
        exchange(p, seat, move - M_BUY_POINTS + 1);
    } else if (move < M_FLAG_RIGHT) {
        exchange(p, seat, -(move - M_SELL_POINTS + 1));
    } else if (move == M_FLAG_RIGHT) {
        move_flag_right(p);
    } else if (move == M_FLAG_LEFT) {
        p->value--;
    } else if (move < M_PRINT) {
        int good = move - M_CONSIGN;
        take_goods(p, seat, good, -1);
        p->points[seat] += 2;
        lower_demand(p, good, 1);
    } else {
        p->pesos[seat] += 1;
        if (move != M_PRINT) p->face_down |= 1 << (move - M_PRINT_ABOUT);
    }
}

/* --- the street */

static void leave_stop(Position *p) {
    if (p->car != PORT) p->face_down &= ~(1 << p->cuban_at[p->car]);
    p->car = (p->car + 1) % STOPS;
}

static int drive(Position *p, int move) {
    int steps = move - M_DRIVE + 1;
    p->pesos[p->active] += 1 - steps;
    for (int step = 1; step < steps; step++) {
        leave_stop(p);
        if (p->car == PORT) {
            move_flag_right(p);
            if (is_over(p)) return OVER;
        }
    }
    leave_stop(p);
    return ARRIVE;
}

static int list_gifts(const Position *p, int seat, int16_t *out) {
    int count = 0;
    if (p->pesos[seat] > 0) out[count++] = M_GIVE_PESO;
    if (p->points[seat] > 0) out[count++] = M_GIVE_POINT;
    for (int good = 0; good < WOOD; good++)
        if (p->goods[seat][good] > 0) out[count++] = M_GIVE_GOOD + good;
    return count;
}

static int has_gift(const Position *p, int seat) {
    if (p->pesos[seat] > 0 || p->points[seat] > 0) return 1;
    for (int good = 0; good < WOOD; good++)
        if (p->goods[seat][good] > 0) return 1;
    return 0;
}

static int next_robbed(Position *p) {
    int seat = (p->actor + 1) % p->players;
    while (seat != p->active) {
        if (has_gift(p, seat)) {
            p->actor = seat;
            return ZORRO;
        }
        seat = (seat + 1) % p->players;
    }
    return USE;
}

static int give(Position *p, int move) {
    int giver = p->actor, taker = p->active;
    if (move == M_GIVE_PESO) {
        p->pesos[giver]--;
        p->pesos[taker]++;
    } else if (move == M_GIVE_POINT) {
        p->points[giver]--;
        p->points[taker]++;
    } else {
        p->goods[giver][move - M_GIVE_GOOD]--;
        p->goods[taker][move - M_GIVE_GOOD]++;
    }
    return next_robbed(p);
}

static void receive(Position *p, int seat, int cuban) {
    p->pesos[seat] += CUBAN_PESOS[cuban];
    p->points[seat] += CUBAN_POINTS[cuban];
    int wanted = CUBAN_GOODS[cuban];
    if (wanted) {
        int good = CUBAN_GOOD[cuban];
        take_goods(p, seat, good, least(wanted, p->supply[good]));
    }
}

static int arrive(Position *p) {
    if (p->car == PORT) {
        if (p->departed) return END_OF_TURN;
        p->passed = 0;
        p->actor = p->active;
        return DELIVER;
    }
    int seat = p->active, cuban = p->cuban_at[p->car];
    if (p->face_down >> cuban & 1) return END_OF_TURN;
    if (cuban == DON_PABLO) return PABLO;
    if (cuban == DR_ALONSO) return ALONSO;
    if (cuban == EL_ZORRO) {
        p->actor = seat;
        return next_robbed(p);
    }
    receive(p, seat, cuban);
    return VISIT;
}

static int list_legal_services(const Position *p, int16_t *out) {
    int seat = p->active, count = 0;
    for (int building = 0; building < SITES; building++) {
        if (p->owner[building] == seat) count = list_uses(p, seat, building, out, count);
        else if (p->owner[building] < 0 && p->markers[seat] > 0) out[count++] = M_SEIZE + building;
    }
    out[count++] = M_PASS;
    return count;
}

static int consult_alonso(Position *p, int move) {
    int seat = p->active;
    if (M_SEIZE <= move && move < M_SEIZE + SITES) {
        p->owner[move - M_SEIZE] = seat;
        p->markers[seat]--;
    } else if (move != M_PASS) {
        use(p, move);
    }
    return VISIT;
}

/* --- the turn */

static int list_unplaced(const int8_t *placed, int places, int tiles, int first, int16_t *out) {
    int lying = 0, count = 0;
    for (int place = 0; place < places; place++) lying |= 1 << (placed[place] + 1);
    for (int tile = 0; tile < tiles; tile++)
        if (!(lying >> (tile + 1) & 1)) out[count++] = first + tile;
    return count;
}

static int is_occupied(const Position *p, int building) {
    for (int seat = 0; seat < p->players; seat++)
        if (p->piece[seat] == building) return 1;
    return 0;
}

static int list_visits(const Position *p, int16_t *out) {
    int first = SITES_PER_FLOWER * CUBAN_FLOWER[p->cuban_at[p->car]], count = 0;
    for (int site = first; site < first + SITES_PER_FLOWER; site++)
        if (!is_occupied(p, p->building_at[site])) count = put(out, count, M_VISIT + p->building_at[site]);
    return count;
}

static int settle(Position *p, int phase) {
    for (;;) {
        if (is_over(p)) return OVER;
        if (phase == ARRIVE) {
            p->actor = p->active;
            phase = arrive(p);
        } else if (phase == PABLO) {
            for (int good = 0; good < WOOD; good++)
                if (p->supply[good] > 0) return PABLO;
            phase = VISIT;
        } else if (phase == VISIT) {
            if (list_visits(p, 0) > 0) return VISIT;
            phase = USE;
        } else if (phase == USE) {
            p->actor = p->active;
            int building = p->piece[p->active];
            if (building >= 0 && list_uses(p, p->active, building, 0, 0) > 0) return USE;
            phase = END_OF_TURN;
        } else if (phase == END_OF_TURN) {
            int building = p->piece[p->active];
            if (building >= 0) {
                int owner = p->owner[building];
                if (owner >= 0 && owner != p->active) p->points[owner]++;
            }
            if (p->departed) return start_rolling(p);
            phase = NEXT_TURN;
        } else if (phase == NEXT_TURN) {
            p->active = (p->active + 1) % p->players;
            p->actor = p->active;
            return DRIVE;
        } else {
            return phase;
        }
    }
}

static int legal(const Position *p, int16_t *out) {
    int count = 0;
    switch (p->phase) {
    case DRIVE:
        count = least(p->pesos[p->active] + 1, LONGEST_DRIVE);
        for (int steps = 0; steps < count; steps++) out[steps] = M_DRIVE + steps;
        return count;
    case VISIT:
        return list_visits(p, out);
    case USE:
        count = list_uses(p, p->active, p->piece[p->active], out, 0);
        out[count++] = M_PASS;
        return count;
    case DELIVER:
        return list_deliveries(p, p->actor, out);
    case ROLL:
        for (int face = 0; face < 6; face++) out[face] = M_ROLL + 6 * p->step + face;
        return 6;
    case ZORRO:
        return list_gifts(p, p->actor, out);
    case ALONSO:
        return list_legal_services(p, out);
    case PABLO:
        for (int good = 0; good < WOOD; good++)
            if (p->supply[good] > 0) out[count++] = M_TAKE + good;
        return count;
    case DEMAND:
        for (int good = 0; good < WOOD; good++) out[good] = M_LEAVE_OUT + good;
        return WOOD;
    case PLACE_BUILDINGS:
        return list_unplaced(p->building_at, SITES, SITES, M_PLACE_BUILDING, out);
    case PLACE_CUBANS:
        return list_unplaced(p->cuban_at, STOPS, CUBANS, M_PLACE_CUBAN, out);
    case CHOOSE_STARTER:
        for (int seat = 0; seat < p->players; seat++) out[seat] = M_STARTER + seat;
        return p->players;
    }
    return 0;
}

static void play(Position *p, int move) {
    int phase = p->phase;
    switch (phase) {
    case DRIVE:
        phase = drive(p, move);
        break;
    case VISIT:
        p->piece[p->active] = move - M_VISIT;
        phase = USE;
        break;
    case USE:
        if (move != M_PASS) use(p, move);
        phase = END_OF_TURN;
        break;
    case DELIVER:
        phase = deliver(p, move);
        break;
    case ROLL:
        phase = roll(p, move);
        break;
    case ZORRO:
        phase = give(p, move);
        break;
    case ALONSO:
        phase = consult_alonso(p, move);
        break;
    case PABLO:
        take_goods(p, p->active, move - M_TAKE, 1);
        phase = VISIT;
        break;
    case DEMAND:
        phase = leave_out(p, move);
        break;
    case PLACE_BUILDINGS:
        p->building_at[p->step++] = move - M_PLACE_BUILDING;
        if (p->step == SITES) {
            p->step = 0;
            phase = PLACE_CUBANS;
        }
        break;
    case PLACE_CUBANS:
        p->cuban_at[++p->step] = move - M_PLACE_CUBAN;
        if (p->step == STOPS - 1) phase = CHOOSE_STARTER;
        break;
    case CHOOSE_STARTER:
        p->starter = move - M_STARTER;
        p->active = (p->starter + p->players - 1) % p->players;
        phase = start_rolling(p);
        break;
    }
    p->phase = settle(p, phase);
}

static Position new_position(int players) {
    Position p;
    memset(&p, 0, sizeof p);
    p.phase = PLACE_BUILDINGS;
    p.actor = CHANCE;
    p.players = players;
    p.starter = p.active = -1;
    p.ship = 1;
    p.value = LOWEST_VALUE;
    p.departed = 1;
    p.left_out = -1;
    memset(p.cuban_at, -1, sizeof p.cuban_at);
    memset(p.building_at, -1, sizeof p.building_at);
    memset(p.owner, -1, sizeof p.owner);
    memset(p.piece, -1, sizeof p.piece);
    for (int good = 0; good < GOODS; good++) p.supply[good] = 8;
    for (int seat = 0; seat < players; seat++) {
        p.markers[seat] = 3;
        p.pesos[seat] = 3;
        p.points[seat] = 2;
        for (int good = SUGAR; good <= TOBACCO; good++) take_goods(&p, seat, good, 1);
    }
    return p;
}

/* --- whole games */

static int below(uint64_t *random, int count) {
    uint64_t x = *random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *random = x;
    return (int)(((x >> 32) * (uint64_t)count) >> 32);
}

/* One game for each seed. `lengths` gets moves and decisions, `results` points and standing of every seat. */
void play_many(int players, int games, uint64_t *seeds, int64_t *lengths, int64_t *results) {
    int16_t moves[256];
    const Position start = new_position(players);
    for (int game = 0; game < games; game++) {
        Position p = start;
        int64_t made = 0, decisions = 0;
        while (made < LONGEST_GAME && p.actor != NOBODY) {
            decisions += p.actor >= 0;
            made++;
            play(&p, moves[below(&seeds[game], legal(&p, moves))]);
        }
        lengths[2 * game] = made;
        lengths[2 * game + 1] = decisions;
        for (int seat = 0; seat < players; seat++) {
            int64_t *result = results + 2 * (game * players + seat);
            result[0] = p.points[seat];
            result[1] = ((int64_t)p.points[seat] * 100 + goods_of(&p, seat) % 3) * 100000 + p.pesos[seat];
        }
    }
}
